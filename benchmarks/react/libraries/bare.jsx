import { createContext, memo, use, useEffect, useState } from 'react';
import { getIssue, issues } from '../workload.js';

/** React alone: a state per row. Shares nothing between readers; the least that one update can cost. */
export const name = 'useState';

let rows = new Map();
const setters = new Map();
const loads = new Map();
const Nothing = createContext(undefined);

export function seed(count) {
  rows = new Map(issues(count).map((issue) => [issue.id, issue]));
}

export const Provider = ({ children }) => <Nothing value={1}>{children}</Nothing>;

export const Row = memo(function Row({ id, count }) {
  count();
  const [issue, setIssue] = useState(() => rows.get(id));
  useEffect(() => {
    setters.set(id, setIssue);
    return () => void setters.delete(id);
  }, [id]);
  return <li>{issue.title}</li>;
});

export function update(id, title) {
  const issue = { ...rows.get(id), title };
  rows.set(id, issue);
  setters.get(id)?.(issue);
}

export function updateAll(title) {
  for (const id of rows.keys()) update(id, `${title} ${id}`);
}

export function Suspending({ id }) {
  if (!loads.has(id)) loads.set(id, getIssue(id));
  return <p>{use(loads.get(id)).title}</p>;
}

export function Flagged({ id }) {
  const [issue, setIssue] = useState();
  useEffect(() => {
    let isCurrent = true;
    void getIssue(id).then((response) => isCurrent && setIssue(response));
    return () => {
      isCurrent = false;
    };
  }, [id]);
  return issue?.id === id ? <p>{issue.title}</p> : <p>loading</p>;
}
