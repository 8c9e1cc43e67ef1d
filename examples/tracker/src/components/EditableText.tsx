import { useState, type KeyboardEvent } from 'react';

interface EditableTextProps {
  label: string;
  value: string;
  maxLength: number;
  /** Called with trimmed text that is not empty, on Enter or on leaving the field. */
  onSave: (text: string) => void;
  onCancel?: () => void;
  autoFocus?: boolean;
}

/** A line of text to be changed in place, which may wrap. Shows `value` unless it is being edited; Escape gives up. */
export function EditableText({
  label,
  value,
  maxLength,
  onSave,
  onCancel,
  autoFocus,
}: EditableTextProps) {
  const [draft, setDraft] = useState<string | undefined>(autoFocus ? value : undefined);

  const finish = () => {
    const text = draft?.replaceAll(/\s+/g, ' ').trim();
    setDraft(undefined);
    if (text && text !== value) onSave(text);
    else onCancel?.();
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      event.currentTarget.blur();
    }
    if (event.key === 'Escape') {
      setDraft(undefined);
      onCancel?.();
    }
  };

  return (
    <textarea
      className="editable line"
      rows={1}
      aria-label={label}
      value={draft ?? value}
      maxLength={maxLength}
      autoFocus={autoFocus}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onBlur={finish}
      onKeyDown={press}
    />
  );
}
