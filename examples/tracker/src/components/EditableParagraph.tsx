import { useState, type KeyboardEvent } from 'react';

interface EditableParagraphProps {
  label: string;
  placeholder: string;
  value: string;
  /** Called with trimmed text, which may be empty, on leaving the field or on Ctrl+Enter. */
  onSave: (text: string) => void;
}

/** Several lines of text to be changed in place; Escape gives up. */
export function EditableParagraph({ label, placeholder, value, onSave }: EditableParagraphProps) {
  const [draft, setDraft] = useState<string | undefined>();

  const finish = () => {
    const text = draft?.trim();
    setDraft(undefined);
    if (text !== undefined && text !== value) onSave(text);
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.blur();
    if (event.key === 'Escape') setDraft(undefined);
  };

  return (
    <textarea
      className="editable paragraph"
      aria-label={label}
      placeholder={placeholder}
      value={draft ?? value}
      maxLength={10_000}
      rows={3}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onBlur={finish}
      onKeyDown={press}
    />
  );
}
