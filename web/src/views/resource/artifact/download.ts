/** Downloads bytes as a file. */
export function download(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName.replace(/[\\/:*?"<>|]/g, '_');
  link.click();
  // The browser has started the download by then.
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
