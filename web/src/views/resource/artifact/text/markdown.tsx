import type { ReactElement } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import classes from './markdown.module.css';

const isWebAddress = (url: string): boolean => /^(https?:|mailto:)/i.test(url);

/** Headings of the text rank below the page's own. Images on other hosts are named but not loaded. */
const components: Components = {
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
  a: ({ href, children }) =>
    href === undefined || href === '' ? (
      <span>{children}</span>
    ) : (
      <a href={href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    ),
  img: ({ alt }) => (
    <span className={classes.picture}>Picture{alt === undefined || alt === '' ? '' : `: ${alt}`}</span>
  ),
  input: ({ checked }) => (
    <span role="img" aria-label={checked === true ? 'Done:' : 'To do:'}>
      {checked === true ? '☑' : '☐'}
    </span>
  ),
  table: ({ children }) => (
    <div className={classes.table} tabIndex={0} role="region" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
};

/** Renders untrusted Markdown. HTML in it is shown as text; links may only lead to the web. */
export default function Markdown({ text }: { readonly text: string }): ReactElement {
  return (
    <div className={classes.prose}>
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        components={components}
        urlTransform={(url) => (isWebAddress(url) ? url : '')}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}
