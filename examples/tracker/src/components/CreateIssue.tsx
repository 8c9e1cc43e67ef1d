import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useCache } from 'restitch/react';
import { ProjectResource, currentUserId } from '../api/resources.js';
import { useIssueActions } from '../api/useIssueActions.js';
import { dropFailedCreate } from '../state/failures.js';
import { useNavigation } from '../state/place.js';
import type { OpenDraft } from '../state/useDrafts.js';
import { IssueFields, type FieldValues } from './IssueFields.js';
import { Glyph } from './icons.js';

interface CreateIssueProps extends OpenDraft {
  onClose: () => void;
}

export function CreateIssue({ draft, failed, onClose }: CreateIssueProps) {
  const { create } = useIssueActions();
  const { filters } = useNavigation();
  const projects = useCache(ProjectResource.getList) ?? [];
  const dialog = useRef<HTMLDialogElement>(null);
  const [title, setTitle] = useState(draft.title ?? '');
  const [description, setDescription] = useState(draft.description ?? '');
  const [project, setProject] = useState(draft.project ?? filters.project ?? projects[0]?.id ?? '');
  // A new issue most likely passes the filters of the list.
  const [fields, setFields] = useState<FieldValues>({
    status:
      draft.status ??
      (filters.status === undefined || filters.status === 'open' || filters.status === 'closed'
        ? 'todo'
        : filters.status),
    priority: draft.priority ?? 0,
    assignee: draft.assignee === undefined ? Number(filters.assignee) || null : draft.assignee,
    labels: draft.labels ?? (filters.label === undefined ? [] : [Number(filters.label)]),
  });

  useEffect(() => dialog.current?.showModal(), []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const issue = {
      title: title.trim(),
      description: description.trim(),
      project,
      author: currentUserId,
      ...fields,
    };
    // The dialog need not wait: the issue is in the list already. If it is refused, it is kept above the list.
    if (failed) dropFailedCreate(failed.number);
    void create(issue);
    onClose();
  };

  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="create-title" onClose={onClose}>
      <form onSubmit={submit}>
        <h2 id="create-title">New issue</h2>
        {failed && (
          <p className="failed" role="alert">
            <Glyph name="warning" />
            <span className="failed-text">
              <strong>Not created:</strong> {failed.message}
            </span>
          </p>
        )}
        <input
          className="editable issue-title"
          aria-label="Title"
          placeholder="Issue title"
          value={title}
          maxLength={200}
          required
          pattern=".*\S.*"
          autoFocus
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <textarea
          className="editable paragraph"
          aria-label="Description"
          placeholder="Add a description…"
          value={description}
          maxLength={10_000}
          rows={3}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <label className="field">
          <span className="field-name">Project</span>
          <span className="field-value">
            <select value={project} onChange={(event) => setProject(event.currentTarget.value)}>
              {projects.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </span>
        </label>
        <IssueFields values={fields} onChange={(change) => setFields({ ...fields, ...change })} />
        <footer>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button className="button button-main">{failed ? 'Send again' : 'Create issue'}</button>
        </footer>
      </form>
    </dialog>
  );
}
