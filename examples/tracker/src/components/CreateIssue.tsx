import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useCache } from 'restitch/react';
import { ProjectResource, currentUserId, type IssueDraft } from '../api/resources.js';
import { useIssueActions } from '../api/useIssueActions.js';
import { useNavigation } from '../state/place.js';
import { IssueFields, type FieldValues } from './IssueFields.js';

interface CreateIssueProps {
  /** What the dialog begins with: of a refused issue everything. */
  draft: Partial<IssueDraft>;
  /** Called with an issue that the server did not take, when the dialog is long closed. */
  onRefused: (draft: IssueDraft) => void;
  onClose: () => void;
}

export function CreateIssue({ draft, onRefused, onClose }: CreateIssueProps) {
  const { create } = useIssueActions();
  const { filters } = useNavigation();
  const projects = useCache(ProjectResource.getList) ?? [];
  const dialog = useRef<HTMLDialogElement>(null);
  const [title, setTitle] = useState(draft.title ?? '');
  const [description, setDescription] = useState(draft.description ?? '');
  const [project, setProject] = useState(draft.project ?? filters.project ?? projects[0]?.id ?? '');
  // What the list is filtered by, a new issue most likely has.
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

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const issue = {
      title: title.trim(),
      description: description.trim(),
      project,
      author: currentUserId,
      ...fields,
    };
    // The dialog need not wait: the issue is in the list already.
    onClose();
    if (!(await create(issue))) onRefused(issue);
  };

  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="create-title" onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <h2 id="create-title">New issue</h2>
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
          <button className="button button-main">Create issue</button>
        </footer>
      </form>
    </dialog>
  );
}
