const width = 20;

/** Formats a fraction as a bar. */
export function bar(fraction: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, fraction)) * width);
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}

/** Formats a fraction as a percentage with a fixed width. */
export const percent = (fraction: number): string => `${Math.floor(fraction * 100)}%`.padStart(4);

const spinnerFrames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;

/** Returns the current frame of a spinner. */
export const spinner = (): string =>
  spinnerFrames[Math.floor(Date.now() / 100) % spinnerFrames.length] ?? ' ';
