import type { MouseEvent } from 'react';
import { address, useNavigation } from '../state/place.js';
import { Glyph } from './icons.js';

/** Opens the page once more, next to this one where there is room. Both windows follow each other from then on. */
export function SecondWindow() {
  const place = useNavigation();
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    place.setLive(true);
    const { availWidth, availHeight } = screen;
    // A phone has no room for two windows, and the link opens a tab there.
    if (availWidth < 1000 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const features = `popup,width=${availWidth / 2},height=${availHeight},left=${availWidth / 2},top=0`;
    if (window.open(event.currentTarget.href, '_blank', features)) event.preventDefault();
  };
  return (
    <a
      className="second-window"
      href={address({ ...place, isLive: true })}
      target="_blank"
      rel="opener"
      onClick={open}
    >
      Open a second window <Glyph name="window" />
    </a>
  );
}
