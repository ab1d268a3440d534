const width = 20;

/** A bar that is filled to a fraction. */
export function bar(fraction: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, fraction)) * width);
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}

/** A fraction as a share of a hundred, as wide as 100%. */
export const percent = (fraction: number): string => `${Math.floor(fraction * 100)}%`.padStart(4);

const spinnerFrames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;

/** Turns as time passes. */
export const spinner = (): string =>
  spinnerFrames[Math.floor(Date.now() / 100) % spinnerFrames.length] ?? ' ';
