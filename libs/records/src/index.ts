export { contains, equals, hasTags, startsWith, type Condition } from './conditions.js';
export { calendarDay, timestamp } from './dates.js';
export { listPage, MOST_COUNTED, PAGE_BYTES, type ListSource, type PageRequest } from './list-page.js';
export {
  listAddress,
  nextPart,
  offsetOf,
  pageNumber,
  pageSize,
  partOf,
  searchText,
  skippedItems,
  sortDirection,
  tagList,
  wholeNumber,
} from './list-query.js';
export { defineRecords, type NextVersion, type RecordFilter, type RecordRow, type Records } from './records.js';
