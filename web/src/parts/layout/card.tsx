import { useId, type HTMLAttributes, type ReactElement } from 'react';
import classes from './card.module.css';

interface CardProps extends HTMLAttributes<HTMLElement> {
  /** Its heading, which also names it. */
  readonly heading?: string;
}

/** A surface that groups related content. */
export function Card({ heading, className, children, ...rest }: CardProps): ReactElement {
  const id = useId();
  const isNamed = heading !== undefined;
  return (
    <section
      className={[classes.card, className].filter(Boolean).join(' ')}
      {...(isNamed && { 'aria-labelledby': id })}
      {...rest}
    >
      {isNamed && <h2 id={id}>{heading}</h2>}
      {children}
    </section>
  );
}
