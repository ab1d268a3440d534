import { IconFileUpload } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { useRefusal } from '../parts/permission.js';
import { filesOf } from './dropped-files.js';
import classes from './drop-target.module.css';

interface DropTargetProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ReactNode;
}

/**
 * Takes files that are dropped anywhere while it is shown. They are held over the veil from the moment it is there: what
 * lies below may be replaced at any time, and nobody hears of a drop on an element that is gone.
 */
export function DropTarget({ onFiles, children }: DropTargetProps): ReactElement {
  const [isOver, setIsOver] = useState(false);
  const refusal = useRefusal('write');

  // What the pointer is over. A count of enters and leaves would go wrong where an element is replaced under the pointer,
  // which nobody hears it leave.
  const target = useRef<EventTarget | null>(null);

  useEffect(() => {
    const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
    const enter = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      target.current = event.target;
      setIsOver(true);
    };
    // The next element is entered before the last one is left.
    const leave = (event: DragEvent): void => {
      if (carriesFiles(event) && event.target === target.current) setIsOver(false);
    };
    const over = (event: DragEvent): void => {
      if (carriesFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setIsOver(false);
      if (event.dataTransfer === null || refusal !== null) return;
      void filesOf(event.dataTransfer).then((files) => files.length > 0 && onFiles(files));
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
