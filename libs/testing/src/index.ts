export { areAppsBuilt, databaseSettings, embeddingServer, serviceConnection, soakRows } from './config.js';
export { createEmptyDatabase, createTestDatabase, type TestDatabase } from './database.js';
export {
  createFakeAuthorizationServer,
  type FakeAuthorizationServer,
} from './fake-authorization-server/fake-authorization-server.js';
export {
  createFakeMcpServer,
  type FakeMcpServer,
  type FakeTool,
  type McpBehaviour,
  type McpEra,
} from './fake-mcp/fake-mcp.js';
export { type ModelAnswer, type ModelBehaviour, type ModelRequest, type ModelToolCall } from './fake-model/answer.js';
export { createFakeModel, type FakeModel } from './fake-model/fake-model.js';
export { blockEventLoop, measureLoopUse } from './event-loop.js';
export { createHttpClient, messageOf, type ClientAnswer, type ClientRequest, type HttpClient } from './http-client.js';
export { limitHeaderFaults } from './limit-header-faults.js';
export { listen, type ListeningApp } from './listen.js';
export {
  createPasskey,
  type CreationOptions,
  type Lies,
  type RequestOptions,
  type TestPasskey,
  type TestPasskeyOptions,
} from './passkey.js';
export { freePort } from './ports.js';
export { createMailServer, type MailServer } from './smtp.js';
export { notUrls, privateHosts } from './ssrf-corpus.js';
export { referenceFaults } from './reference-faults.js';
export { redisUrl, startRedis, startSentinel, type RedisServer } from './redis.js';
export { startS3, type S3Server } from './s3-server.js';
export { startLockServer, type LockServer } from './lock-server.js';
export { createStatementLog, transactionsOf, type SentStatement, type StatementLog } from './statement-log.js';
export { listenTls, type TlsServer } from './tls.js';
export { createTraceCollector, type CollectedSpan, type TraceCollector } from './trace-collector.js';
