import { Glyph } from './icons.js';

/** Turns light into dark and back; until it is pressed the system decides. */
export function ThemeButton() {
  const toggle = () => {
    const root = document.documentElement;
    const isDark = getComputedStyle(root).getPropertyValue('--is-dark').trim() === '1';
    root.dataset['theme'] = isDark ? 'light' : 'dark';
  };
  return (
    <button
      type="button"
      className="icon-button"
      aria-label="Light or dark"
      title="Light or dark"
      onClick={toggle}
    >
      <Glyph name="theme" />
    </button>
  );
}
