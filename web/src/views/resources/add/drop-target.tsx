import { IconFileUpload } from '@tabler/icons-react';
import { useEffect, useState, type ReactElement, type ReactNode } from 'react';
import { useRefusal } from '../../../parts/permission.js';
import classes from './drop-target.module.css';

interface DropTargetProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ReactNode;
}

/** Takes files that are dropped anywhere while it is shown. */
export function DropTarget({ onFiles, children }: DropTargetProps): ReactElement {
  const [isOver, setIsOver] = useState(false);
  const refusal = useRefusal('write');

  useEffect(() => {
    // `dragleave` also comes when the pointer goes from one element into another: only the last leave leaves the page.
    let depth = 0;
    const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
    const enter = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      depth++;
      setIsOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setIsOver(false);
    };
    const over = (event: DragEvent): void => {
      if (carriesFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setIsOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0 && refusal === null) onFiles(files);
    };
    const stop = new AbortController();
    const options = { signal: stop.signal };
    window.addEventListener('dragenter', enter, options);
    window.addEventListener('dragleave', leave, options);
    window.addEventListener('dragover', over, options);
    window.addEventListener('drop', drop, options);
    return () => stop.abort();
  }, [onFiles, refusal]);

  return (
    <>
      {children}
      {isOver && (
        <div className={classes.veil} aria-hidden>
          <div className={classes.note}>
            <IconFileUpload size={34} stroke={1.5} />
            <p>{refusal ?? 'Drop the files to add them'}</p>
          </div>
        </div>
      )}
    </>
  );
}
