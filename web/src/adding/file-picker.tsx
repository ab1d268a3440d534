import { CloseButton } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { useId, type ReactElement } from 'react';
import { formatBytes } from '../parts/format.js';
import classes from './file-picker.module.css';

interface FilePickerProps {
  readonly files: readonly File[];
  readonly onChange: (files: readonly File[]) => void;
}

/** Files from the system's own dialog; what is dropped comes in by the page. */
export function FilePicker({ files, onChange }: FilePickerProps): ReactElement {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className={classes.area}>
        <IconFileUpload size={24} stroke={1.6} aria-hidden />
        <span>
          <strong>Choose files</strong>, or drop files and folders anywhere
        </span>
        <input
          id={id}
          type="file"
          multiple
          className={classes.input}
          data-autofocus
          onChange={(event) => {
            onChange([...files, ...(event.currentTarget.files ?? [])]);
            // So that the same file can be chosen again after it was taken off.
            event.currentTarget.value = '';
          }}
        />
      </label>
      {files.length > 0 && (
        <ul className={classes.files} aria-label="Chosen files">
          {files.map((file, index) => (
            <li key={`${file.name}-${file.size}-${index}`} className={classes.file}>
              <span className={classes.name}>{file.name}</span>
              <span className="dim small tabular">{formatBytes(file.size)}</span>
              {file.size === 0 && <span className={classes.bad}>empty: will be refused</span>}
              <CloseButton
                size="sm"
                aria-label={`Take off ${file.name}`}
                onClick={() => onChange(files.filter((other) => other !== file))}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
