import type { CSSProperties } from 'react';
import type { User } from '../api/entities.js';

/** A user's initials on the user's color; the name stands next to it. */
export function Avatar({ user }: { user: User | null }) {
  if (!user) return <span className="avatar avatar-empty" aria-hidden="true" />;
  return (
    <span className="avatar" style={hueStyle(user.hue)} aria-hidden="true">
      {user.initials}
    </span>
  );
}

/** Hands a record's color to the style sheets, which know how to use it in light and dark. */
export function hueStyle(hue: number): CSSProperties {
  return { '--hue': hue } as CSSProperties;
}
