import type { AdminAnswers } from './answers/admin.js';

type ItemOf<Answer extends Items<unknown>> = Answer['items'][number];

export interface Items<Item> {
  items: Item[];
}
export type List<Item> = Omit<AdminAnswers['listUsers'], 'items'> & Items<Item>;

/** The signed-in user. Until `fresh_until`, sensitive requests need no further passkey proof. */
export type Me = AdminAnswers['getMe'];
export type Addresses = AdminAnswers['getAddresses'];
export type Passkey = ItemOf<AdminAnswers['listPasskeys']>;
export type UserSession = ItemOf<AdminAnswers['listSessions']>;
export type Device = ItemOf<AdminAnswers['listDevices']>;
export type Consent = ItemOf<AdminAnswers['listConsents']>;

export type Key = ItemOf<AdminAnswers['listKeys']>;
/** A key with its secret. Only the answer that creates or rotates the key contains the secret. */
export type IssuedKey = AdminAnswers['createKey'];
export type SecurityActivity = ItemOf<AdminAnswers['listSecurityActivity']>;
/** An OAuth client of any user. */
export type Application = ItemOf<AdminAnswers['listApplications']>;
export type Client = ItemOf<AdminAnswers['listClients']>;
/** A client with its secret. Only the answer that creates the client or rotates its secret contains the secret. */
export type IssuedClient = AdminAnswers['createClient'];
export type Scope = ItemOf<AdminAnswers['listScopes']>;

export type User = ItemOf<AdminAnswers['listUsers']>;
export type NewUser = AdminAnswers['createUser'];
export type UserDetail = AdminAnswers['getUser'];
export type SsoIdentity = ItemOf<AdminAnswers['listUserIdentities']>;
/** A request that waits for a second platform admin. */
export type PlatformAdminRequest = ItemOf<AdminAnswers['listPlatformAdminRequests']>;

/** A row of the audit log. */
export type Decision = AdminAnswers['getDecision'];
/** The state of the seals of the audit log. */
export type Chain = AdminAnswers['getChain'];

export type Job = ItemOf<AdminAnswers['listJobs']>;
/** A run of a job. Its `outcome` is null while the run waits or is executed. */
export type JobRun = Job['runs'][number];
export type SigningKey = ItemOf<AdminAnswers['getSigningKeys']>;

export type Enterprise = ItemOf<AdminAnswers['listEnterprises']>;
export type EnterpriseDetail = AdminAnswers['getEnterprise'];
export type Report = AdminAnswers['getInternalReport'];
export type ReportRow = Report['rows'][number];
export type UsageSum = Report['by_model'][number];

export type Quota = ItemOf<AdminAnswers['listQuotas']>;

/** The figures of one project, or of all projects when `project` is null. */
export type Dashboard = AdminAnswers['getDashboard'];
export type Usage = AdminAnswers['getDashboardUsage'];
export type Period = Usage['period'];
export type FigureName = keyof Usage['figures'];
/** A figure of the usage. Its value is null when it is unknown. */
export type Figure = Usage['figures'][FigureName];
/** One of the most used records. Its `name` is null when the record was deleted. */
export type Busy = Usage['busiest']['agents'][number];
/** The health of a service. The state `off` means that the service is not deployed. */
export type AreaHealth = ItemOf<AdminAnswers['getAreaHealth']>;
