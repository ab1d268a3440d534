import { IconFileUpload } from '@tabler/icons-react';
import { useId, type ReactElement } from 'react';
import { formatCount } from '../parts/format.js';
import classes from './file-picker.module.css';
import { PickedFile } from './picked-file.js';
import { mostRows } from './upload-list.js';

interface FilePickerProps {
  readonly files: readonly File[];
  readonly onChange: (files: readonly File[]) => void;
}

/** Picks files in the system's dialog. The page itself handles dropped files. */
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
            // Lets the user choose the same file again after removing it.
            event.currentTarget.value = '';
          }}
        />
      </label>
      {files.length > 0 && (
        <ul className={classes.files} aria-label="Chosen files">
          {files.slice(0, mostRows).map((file, index) => (
            <PickedFile
              key={`${file.name}-${file.size}-${index}`}
              file={file}
              onTakeOff={() => onChange(files.filter((other) => other !== file))}
            />
          ))}
          {files.length > mostRows && (
            <li className="dim small">{formatCount(files.length - mostRows)} more</li>
          )}
        </ul>
      )}
    </div>
  );
}
