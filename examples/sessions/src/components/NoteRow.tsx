import { useController, useSuspense } from 'restitch/react';
import { useState } from 'react';
import { attachFile, downloadFile, getShare, type Note, Notes } from '../api/notes.js';
import { useAction } from './useAction.js';

export function NoteRow({ note }: { note: Note }) {
  const controller = useController();
  const { id, title, fileName, byteCount } = note;
  const { isShared } = useSuspense(getShare, { id });
  const [progress, setProgress] = useState<number>();
  const [run, problem] = useAction();

  const upload = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    const attach = attachFile.extend({ fileName: file.name, onProgress: setProgress });
    await controller.fetch(attach, { id }, file);
  };
  const download = async (): Promise<void> => {
    const { blob, filename } = await controller.fetch(downloadFile, { id });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = filename;
    link.click();
    URL.revokeObjectURL(link.href);
  };

  return (
    <li>
      <span>
        {title}, {isShared ? 'shared' : 'private'}
      </span>
      <input
        type="file"
        aria-label={`File of ${title}`}
        onChange={({ currentTarget }) => run(() => upload(currentTarget.files?.[0]))}
      />
      {progress !== undefined && <progress value={progress} aria-label={`Upload of ${title}`} />}
      {fileName !== null && (
        <button onClick={() => run(download)}>
          {fileName}, {byteCount} bytes
        </button>
      )}
      <button onClick={() => run(() => controller.fetch(Notes.delete, { id }))}>
        Delete {title}
      </button>
      {problem && <p role="alert">{problem}</p>}
    </li>
  );
}
