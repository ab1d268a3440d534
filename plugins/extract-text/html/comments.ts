/**
 * Comments, with the ends that browsers accept, and the empty comment. htmlparser2 loses the text behind `--!>` and `<!>`.
 * Directly behind the start of a comment, `--!>` does not end it.
 */
const comments = /<!--(?:-?>|(?:-?!>)?[^]*?(?:--!?>|$))|<!>/g;

export function withUsualComments(html: string): string {
  return html.replace(comments, (comment) => (comment === '<!>' ? '' : comment.replace(/--!>$/, '-->')));
}
