import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useCache } from 'restitch/react';
import { ProjectResource, currentUserId } from '../api/resources.js';
import { useIssueActions } from '../api/useIssueActions.js';
import { useNavigation } from '../state/place.js';
import { IssueFields, type FieldValues } from './IssueFields.js';

export function CreateIssue({ onClose }: { onClose: () => void }) {
  const { create } = useIssueActions();
  const { filters } = useNavigation();
  const projects = useCache(ProjectResource.getList) ?? [];
  const dialog = useRef<HTMLDialogElement>(null);
  const [title, setTitle] = useState('');
  const [description, setDescription] = useState('');
  const [project, setProject] = useState(filters.project ?? projects[0]?.id ?? '');
  // What the list is filtered by, a new issue most likely has.
  const [fields, setFields] = useState<FieldValues>({
    status:
      filters.status === undefined || filters.status === 'open' || filters.status === 'closed'
        ? 'todo'
        : filters.status,
    priority: 0,
    assignee: Number(filters.assignee) || null,
    labels: filters.label === undefined ? [] : [Number(filters.label)],
  });

  useEffect(() => dialog.current?.showModal(), []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const draft = {
      title: title.trim(),
      description: description.trim(),
      project,
      author: currentUserId,
      ...fields,
    };
    // The dialog need not wait: the issue is in the list already.
    void create(draft);
    onClose();
  };

  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="create-title" onClose={onClose}>
      <form onSubmit={submit}>
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
