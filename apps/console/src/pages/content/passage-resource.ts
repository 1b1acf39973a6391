import { areaResource } from '../../api/areas.js';
import type { FoundRecord } from '../../api/runtime-records.js';

/** A query for a content item or a passage of a file. Everyone who may search them may read them. */
export const passageResource = (id: string) =>
  areaResource<FoundRecord>('runtime', `/api/v1/content/${encodeURIComponent(id)}`);
