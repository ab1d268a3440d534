import type { HTMLAttributes, ReactElement } from 'react';
import classes from './card.module.css';

/** A sheet that things belonging together lie on. */
export function Card({ className, ...rest }: HTMLAttributes<HTMLElement>): ReactElement {
  return <section className={[classes.card, className].filter(Boolean).join(' ')} {...rest} />;
}
