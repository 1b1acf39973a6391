export { QUOTA_KINDS, quotaRefusal, type QuotaKind } from '../quota.js';
export { countExisting, readQuotaDrift, recountQuotas } from './quota-recount.js';
export { noteQuotaRefusal, quotaShare, readQuotas, removeQuota, setQuota, type QuotaLimit } from './quota-usage.js';
