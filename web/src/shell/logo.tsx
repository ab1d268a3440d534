import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { basePath } from '../base-path.js';
import classes from './logo.module.css';

export function Logo(): ReactElement {
  return (
    <Link href="/resources" className={classes.logo ?? ''}>
      <LogoMark />
      <span className={classes.name}>Knowledge Warehouse</span>
    </Link>
  );
}

export function LogoMark({ size = 26 }: { readonly size?: number }): ReactElement {
  return <img src={`${basePath}/favicon.svg`} width={size} height={size} alt="" />;
}
