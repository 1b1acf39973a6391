import { projectHeader } from '../../api/areas.js';
import { ApiError } from '../../api/client.js';
import type { StoredFile } from '../../api/runtime-records.js';

interface Refusal {
  error?: { code?: string; message?: string };
}

/** Sends a file to the runtime API and reports the progress from 0 to 1, which `fetch` cannot report. */
export function uploadFile(
  file: File,
  path: string,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<StoredFile> {
  const form = new FormData();
  form.set('path', path);
  form.set('file', file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/admin/api/areas/runtime/api/v1/files');
    for (const [name, value] of Object.entries(projectHeader())) request.setRequestHeader(name, value);
    request.responseType = 'json';
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable) onProgress(loaded / total);
    };
    request.onload = () => {
      if (request.status === 201) {
        resolve(request.response as StoredFile);
        return;
      }
      const { error } = (request.response ?? {}) as Refusal;
      const message = error?.message ?? `The server answered ${request.status}. Try again.`;
      reject(
        new ApiError(request.status, error?.code ?? 'unknown', message, request.getResponseHeader('x-request-id')),
      );
    };
    request.onerror = () => reject(new ApiError(0, 'unreachable', 'The upload failed. Try again.'));
    request.onabort = () => reject(new ApiError(0, 'aborted', 'Upload cancelled.'));
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}
