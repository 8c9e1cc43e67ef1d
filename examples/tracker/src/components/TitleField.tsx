import { useRef, useState, type KeyboardEvent } from 'react';

interface TitleFieldProps {
  title: string;
  /** Called for every letter, with trimmed text that is not empty. */
  onChange: (title: string) => void;
}

/**
 * The title of an issue, saved while it is typed. Until the field is left it shows what was typed, whatever responses
 * arrive meanwhile. Escape goes back to what it was before.
 */
export function TitleField({ title, onChange }: TitleFieldProps) {
  const [draft, setDraft] = useState<string>();
  const before = useRef(title);

  const save = (text: string) => {
    const next = text.replaceAll(/\s+/g, ' ').trim();
    if (next && next !== title) onChange(next);
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Escape') {
      setDraft(undefined);
      save(before.current);
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    event.currentTarget.blur();
  };

  return (
    <textarea
      className="editable line issue-title"
      rows={1}
      aria-label="Title"
      value={draft ?? title}
      maxLength={200}
      onFocus={() => {
        before.current = title;
      }}
      onChange={(event) => {
        setDraft(event.currentTarget.value);
        save(event.currentTarget.value);
      }}
      onBlur={() => setDraft(undefined)}
      onKeyDown={press}
    />
  );
}
