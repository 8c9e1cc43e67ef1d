import type { ReactNode } from 'react';
import { useCache } from 'restitch/react';
import { priorities, statuses, type Priority, type Status } from '../api/entities.js';
import { LabelResource, UserResource } from '../api/resources.js';
import { Avatar } from './Avatar.js';
import { LabelPill } from './LabelPill.js';
import { PriorityIcon, StatusIcon, priorityNames, statusNames } from './icons.js';

export interface FieldValues {
  status: Status;
  priority: Priority;
  assignee: number | null;
  labels: number[];
}

interface IssueFieldsProps {
  values: FieldValues;
  onChange: (change: Partial<FieldValues>) => void;
}

/** Status, priority, assignee and labels: the same controls for a new issue and for one that exists. */
export function IssueFields({ values, onChange }: IssueFieldsProps) {
  const { status, priority, assignee, labels: chosen } = values;
  const users = useCache(UserResource.getList) ?? [];
  const labels = useCache(LabelResource.getList) ?? [];
  const toggle = (id: number) =>
    onChange({
      labels: chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id],
    });

  return (
    <div className="fields">
      <Field label="Status" icon={<StatusIcon status={status} />}>
        <select
          value={status}
          onChange={(event) => onChange({ status: event.currentTarget.value as Status })}
        >
          {statuses.map((value) => (
            <option key={value} value={value}>
              {statusNames[value]}
            </option>
          ))}
        </select>
      </Field>
      <Field label="Priority" icon={<PriorityIcon priority={priority} />}>
        <select
          value={priority}
          onChange={(event) =>
            onChange({ priority: Number(event.currentTarget.value) as Priority })
          }
        >
          {priorities.map((value) => (
            <option key={value} value={value}>
              {priorityNames[value]}
            </option>
          ))}
        </select>
      </Field>
      <Field
        label="Assignee"
        icon={<Avatar user={users.find((user) => user.id === assignee) ?? null} />}
      >
        <select
          value={assignee ?? ''}
          onChange={(event) =>
            onChange({
              assignee: event.currentTarget.value === '' ? null : Number(event.currentTarget.value),
            })
          }
        >
          <option value="">Unassigned</option>
          {users.map((user) => (
            <option key={user.id} value={user.id}>
              {user.name}
            </option>
          ))}
        </select>
      </Field>
      <fieldset className="label-choice">
        <legend>Labels</legend>
        {labels.map((label) => (
          <button
            key={label.id}
            type="button"
            aria-pressed={chosen.includes(label.id)}
            onClick={() => toggle(label.id)}
          >
            <LabelPill label={label} />
          </button>
        ))}
      </fieldset>
    </div>
  );
}

function Field({ label, icon, children }: { label: string; icon: ReactNode; children: ReactNode }) {
  return (
    <label className="field">
      <span className="field-name">{label}</span>
      <span className="field-value">
        {icon}
        {children}
      </span>
    </label>
  );
}
