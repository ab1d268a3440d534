import type { HTMLAttributes, ReactElement } from 'react';
import classes from './card.module.css';

/** A surface that groups related content. */
export function Card({ className, ...rest }: HTMLAttributes<HTMLElement>): ReactElement {
  return <section className={[classes.card, className].filter(Boolean).join(' ')} {...rest} />;
}
