import type { Label } from '../api/entities.js';
import { hueStyle } from './Avatar.js';

export function LabelPill({ label }: { label: Label }) {
  return (
    <span className="pill" style={hueStyle(label.hue)}>
      <span className="dot" /> {label.name}
    </span>
  );
}
