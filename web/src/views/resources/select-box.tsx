import { useEffect, useRef, type ReactElement } from 'react';
import classes from './select-box.module.css';

interface SelectBoxProps {
  readonly label: string;
  readonly isChecked: boolean;
  /** Some, but not all, are selected. */
  readonly isPartial?: boolean;
  /** Is called with whether the Shift key was held. */
  readonly onChange: (isRange: boolean) => void;
}

/** A checkbox of the list. A plain element, because a list has hundreds. */
export function SelectBox({ label, isChecked, isPartial = false, onChange }: SelectBoxProps): ReactElement {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = isPartial;
  }, [isPartial]);
  return (
    <input
      ref={box}
      type="checkbox"
      className={classes.box}
      aria-label={label}
      checked={isChecked}
      onChange={(event) => onChange((event.nativeEvent as MouseEvent).shiftKey)}
    />
  );
}
