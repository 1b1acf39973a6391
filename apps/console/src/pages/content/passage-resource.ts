import { areaResource } from '../../api/areas.js';
import type { FoundRecord } from '../../api/runtime-records.js';

/** The query of a content item or a passage of a file, for everyone who may search them. */
export const passageResource = (id: string) =>
  areaResource<FoundRecord>('runtime', `/api/v1/content/${encodeURIComponent(id)}`);
