import type { ReactElement, ReactNode } from 'react';
import { CopyButton } from '../actions/copy-button.js';
import classes from './facts.module.css';

/** Facts about something, one name and value per line. */
export const Facts = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <dl className={classes.facts}>{children}</dl>
);

export const Fact = ({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ReactNode;
}): ReactElement => (
  <div className={classes.fact}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** A value that is truncated if it is too long, and can be copied completely. */
export const Copyable = ({
  text,
  label,
}: {
  readonly text: string;
  readonly label: string;
}): ReactElement => (
  <span className={classes.copyable}>
    <code className={classes.code}>{text}</code>
    <CopyButton text={text} label={label} />
  </span>
);
