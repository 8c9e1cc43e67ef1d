import type { ReactNode } from 'react';
import type { Priority, Status } from '../api/entities.js';

export const statusNames: Record<Status, string> = {
  backlog: 'Backlog',
  todo: 'Todo',
  in_progress: 'In progress',
  in_review: 'In review',
  done: 'Done',
  canceled: 'Canceled',
};

export const priorityNames: Record<Priority, string> = {
  0: 'No priority',
  1: 'Urgent',
  2: 'High',
  3: 'Medium',
  4: 'Low',
};

export function StatusIcon({ status }: { status: Status }) {
  return (
    <Icon className={`status status-${status}`} title={statusNames[status]}>
      {status === 'done' || status === 'canceled' ? (
        <>
          <circle cx="8" cy="8" r="7" fill="currentColor" />
          <path
            className="status-mark"
            d={status === 'done' ? 'M5 8.2l2 2 4-4.2' : 'M5.8 5.8l4.4 4.4m0-4.4l-4.4 4.4'}
          />
        </>
      ) : (
        <>
          <circle
            {...outline}
            cx="8"
            cy="8"
            r="6.1"
            strokeDasharray={status === 'backlog' ? '1.6 1.6' : undefined}
          />
          {status === 'in_progress' && <path fill="currentColor" d="M8 4.4a3.6 3.6 0 0 1 0 7.2z" />}
          {status === 'in_review' && <path fill="currentColor" d="M8 4.4A3.6 3.6 0 1 1 4.4 8H8z" />}
        </>
      )}
    </Icon>
  );
}

export function PriorityIcon({ priority }: { priority: Priority }) {
  if (priority === 1) {
    return (
      <Icon className="priority priority-urgent" title="Urgent">
        <rect x="1" y="1" width="14" height="14" rx="3.5" fill="currentColor" />
        <path className="status-mark" d="M8 4.4v4.2m0 2.5v.1" />
      </Icon>
    );
  }
  const filled = priority === 0 ? 0 : 5 - priority;
  return (
    <Icon className="priority" title={priorityNames[priority]}>
      {[0, 1, 2].map((bar) => {
        const height = priority === 0 ? 1.6 : 4 + bar * 3.5;
        const y = priority === 0 ? 7.2 : 13.5 - height;
        const opacity = bar < filled || priority === 0 ? 1 : 0.3;
        return (
          <rect
            key={bar}
            x={1.8 + bar * 4.6}
            y={y}
            width="3"
            height={height}
            rx="0.8"
            fill="currentColor"
            opacity={opacity}
          />
        );
      })}
    </Icon>
  );
}

const shapes = {
  plus: 'M8 3v10M3 8h10',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.8 10.8L14 14',
  close: 'M4 4l8 8m0-8l-8 8',
  pencil: 'M3 13l.6-2.7 7-7a1.4 1.4 0 0 1 2 0l.1.1a1.4 1.4 0 0 1 0 2l-7 7L3 13z',
  warning: 'M8 2.5L14 13H2zM8 6.5v3M8 11.2v.1',
  trash: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5',
  comment:
    'M3.5 3h9A1.5 1.5 0 0 1 14 4.5v5a1.5 1.5 0 0 1-1.5 1.5H8l-3 2.6V11H3.5A1.5 1.5 0 0 1 2 9.5v-5A1.5 1.5 0 0 1 3.5 3z',
  window: 'M6 3H3v10h10v-3M9 3h4v4M13 3L7.5 8.5',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  theme: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 2v12M11 3v10M13.2 5.2v5.6',
};

/** A small drawing that the text or label around it explains. */
export function Glyph({ name }: { name: keyof typeof shapes }) {
  return (
    <Icon className="glyph">
      <path {...outline} d={shapes[name]} />
    </Icon>
  );
}

const outline = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.6,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;

function Icon({
  className,
  title,
  children,
}: {
  className: string;
  title?: string;
  children: ReactNode;
}) {
  return (
    <svg
      className={`icon ${className}`}
      viewBox="0 0 16 16"
      role={title ? 'img' : undefined}
      aria-hidden={title ? undefined : true}
    >
      {title && <title>{title}</title>}
      {children}
    </svg>
  );
}
