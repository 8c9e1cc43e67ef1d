import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useCache, useQuery } from 'restitch/react';
import { Project, statuses } from '../api/entities.js';
import { IssueResource, LabelResource, UserResource, type IssueFilters } from '../api/resources.js';
import { useNavigation } from '../state/place.js';
import { LiveSwitch } from './LiveSwitch.js';
import { Glyph, statusNames } from './icons.js';

const TYPING_PAUSE = 200;

export function Toolbar({ onMenu }: { onMenu: () => void }) {
  const { filters, filter } = useNavigation();
  // None of these fetches: they show what is in the store.
  const project = useQuery(Project, { id: filters.project ?? '' });
  const users = useCache(UserResource.getList) ?? [];
  const labels = useCache(LabelResource.getList) ?? [];
  const list = useCache(IssueResource.getList, filters);

  return (
    <header className="toolbar">
      <button
        type="button"
        className="icon-button menu-button"
        aria-label="Projects and team"
        onClick={onMenu}
      >
        <Glyph name="menu" />
      </button>
      <h1>{project?.name ?? 'All issues'}</h1>
      {list?.results && (
        <span className="count" title="Issues that pass the filters">
          {(list.results.length + list.remaining).toLocaleString('en')}
        </span>
      )}
      <LiveSwitch />
      <Search />
      <Choice
        label="Status"
        value={filters.status}
        onChoose={(status) => filter({ status: status as IssueFilters['status'] })}
      >
        <option value="">Any status</option>
        <option value="open">All open</option>
        <option value="closed">All closed</option>
        <hr />
        {statuses.map((status) => (
          <option key={status} value={status}>
            {statusNames[status]}
          </option>
        ))}
      </Choice>
      <Choice
        label="Assignee"
        value={filters.assignee}
        onChoose={(assignee) => filter({ assignee })}
      >
        <option value="">Anyone</option>
        <option value="none">Unassigned</option>
        <hr />
        {users.map((user) => (
          <option key={user.id} value={user.id}>
            {user.name}
          </option>
        ))}
      </Choice>
      <Choice label="Label" value={filters.label} onChoose={(label) => filter({ label })}>
        <option value="">Any label</option>
        {labels.map((label) => (
          <option key={label.id} value={label.id}>
            {label.name}
          </option>
        ))}
      </Choice>
      <Choice
        label="Order"
        value={filters.sort}
        onChoose={(sort) => filter({ sort: sort as IssueFilters['sort'] })}
      >
        <option value="">Newest first</option>
        <option value="updated">Last updated</option>
        <option value="priority">Priority</option>
        <option value="title">Title</option>
      </Choice>
    </header>
  );
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  onChoose: (value: string | undefined) => void;
  children: ReactNode;
}

function Choice({ label, value = '', onChoose, children }: ChoiceProps) {
  return (
    <select
      className="choice"
      aria-label={label}
      data-active={value !== ''}
      value={value}
      onChange={(event) => onChoose(event.currentTarget.value || undefined)}
    >
      {children}
    </select>
  );
}

function Search() {
  const { filters, filter } = useNavigation();
  const [text, setText] = useState(filters.q ?? '');
  const timer = useRef(0);

  // Asks after a pause in typing, not for every letter.
  const type = (typed: string) => {
    setText(typed);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => filter({ q: typed.trim() || undefined }), TYPING_PAUSE);
  };

  // Back and Forward change the address past the field.
  useEffect(() => {
    const follow = () => {
      clearTimeout(timer.current);
      setText(new URLSearchParams(location.search).get('q') ?? '');
    };
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);

  return (
    <label className="search">
      <Glyph name="search" />
      <input
        id="search"
        type="search"
        aria-label="Search"
        placeholder="Search…"
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <kbd>/</kbd>
    </label>
  );
}
