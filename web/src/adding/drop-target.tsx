import { IconFileUpload } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { useRefusal } from '../parts/actions/permission.js';
import { plural } from '../parts/format.js';
import { showProblem } from '../parts/messages/notices.js';
import { filesOf } from './dropped-files.js';
import classes from './drop-target.module.css';

interface DropTargetProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ReactNode;
}

/**
 * Accepts files dropped anywhere while it is shown. The overlay receives the drop: elements below it may be replaced at
 * any time, and a drop on a removed element fires no event.
 */
export function DropTarget({ onFiles, children }: DropTargetProps): ReactElement {
  const [isOver, setIsOver] = useState(false);
  const refusal = useRefusal('write');

  // The element under the pointer. Counting enter and leave events fails if an element is replaced under the
  // pointer, since it fires no leave event.
  const target = useRef<EventTarget | null>(null);

  useEffect(() => {
    const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
    const enter = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      target.current = event.target;
      setIsOver(true);
    };
    // Browsers fire dragenter on the next element before dragleave on the last one.
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
      void filesOf(event.dataTransfer).then(({ files, unreadable }) => {
        if (files.length > 0) onFiles(files);
        if (unreadable.length > 0) showUnreadable(unreadable);
      });
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

const mostNames = 3;

function showUnreadable(names: readonly string[]): void {
  const more = names.length > mostNames ? ' …' : '';
  showProblem(
    new Error(
      `${plural(names.length, 'item')} could not be read: ${names.slice(0, mostNames).join(', ')}${more}`,
    ),
  );
}
