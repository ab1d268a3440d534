import { CloseButton } from '@mantine/core';
import type { ReactElement } from 'react';
import { basePath } from '../base-path.js';
import { formatBytes } from '../parts/format.js';
import classes from './file-picker.module.css';
import { useSameBytes } from './same-bytes.js';

interface PickedFileProps {
  readonly file: File;
  readonly onTakeOff: () => void;
}

/** A chosen file, with its properties before it is added. */
export function PickedFile({ file, onTakeOff }: PickedFileProps): ReactElement {
  const { data: known } = useSameBytes(file);
  return (
    <li>
      <div className={classes.file}>
        <span className={classes.name} dir="auto">
          {file.name}
        </span>
        <span className="dim small tabular">{formatBytes(file.size)}</span>
        {file.size === 0 && <span className={classes.bad}>empty: will be refused</span>}
        <CloseButton size="sm" aria-label={`Remove ${file.name}`} onClick={onTakeOff} />
      </div>
      {known != null && (
        <p className={classes.known} role="status">
          The same bytes are already stored as{' '}
          <a href={`${basePath}/resources/${known.id}`} target="_blank" rel="noreferrer">
            <bdi>{known.name}</bdi>
          </a>
          .
        </p>
      )}
    </li>
  );
}
