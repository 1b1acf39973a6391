/** Downloads bytes under a file name. */
export function saveFile(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Revoke the URL later, because browsers read the URL after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
