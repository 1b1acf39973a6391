export { type JobHandler, type JobHandlers, type Job, type JobCall, type RunDetail, type RunEnd } from './job.js';
export { loadJobs, type JobSource } from './load-jobs.js';
export { type RunReport } from './run-job.js';
export { type Outcome } from './runs.store.js';
export { lastScheduledTime, nextScheduledTime } from './schedule.js';
export { startScheduler, type Scheduler, type SchedulerOptions } from './scheduler.js';
