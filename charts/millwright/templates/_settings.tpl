{{- /* Of each service; services.<name>.settings adds to them and replaces them. */}}
{{- define "millwright.defaults.admin-auth" }}
ADMIN_PORT: "9090"
BASE_URL: {{ .Values.addresses.base | quote }}
DATA_TLS: {{ .Values.data.tls | quote }}
DATABASE_POOL_MAX: "5"
JOBS_OWNER: {{ .Values.jobsOwner | quote }}
PLATFORM_API_TARGETS: http://platform-api:3000
PORT: "3000"
PROMPT_API_TARGETS: http://prompt-api:3000
PROMPT_API_URL: {{ .Values.addresses.prompt | quote }}
RUNTIME_API_TARGETS: http://runtime-api:3000
RUNTIME_URL: {{ .Values.addresses.runtime | quote }}
SECURITY_ALLOW_REGISTRATION: "false"
SECURITY_CLAIM_REQUIRES_INVITE: "true"
SHUTDOWN_ANNOUNCE_MS: "5000"
SHUTDOWN_GRACE_MS: "75000"
TRUSTED_PROXY_HOPS: "1"
{{- end }}
{{- define "millwright.defaults.platform-api" }}
ADMIN_PORT: "9090"
AGENTS_PUBLISHED_BY_DEFAULT: "false"
BASE_URL: {{ .Values.addresses.base | quote }}
DATA_TLS: {{ .Values.data.tls | quote }}
DATABASE_POOL_MAX: "8"
PORT: "3000"
SHUTDOWN_ANNOUNCE_MS: "5000"
SHUTDOWN_GRACE_MS: "30000"
TRUSTED_PROXY_HOPS: "1"
UNMARKED_TOOLS: ask
{{- end }}
{{- define "millwright.defaults.runtime-api" }}
ADMIN_PORT: "9090"
AGENTS_PUBLISHED_BY_DEFAULT: "false"
BASE_URL: {{ .Values.addresses.base | quote }}
DATA_TLS: {{ .Values.data.tls | quote }}
DATABASE_POOL_MAX: "8"
FILES_S3_BUCKET: millwright-files
FILES_S3_REGION: us-east-1
MODEL_TIMEOUT_MS: "60000"
PORT: "3000"
RUNTIME_URL: {{ .Values.addresses.runtime | quote }}
SHUTDOWN_ANNOUNCE_MS: "5000"
SHUTDOWN_GRACE_MS: "75000"
TRUSTED_PROXY_HOPS: "1"
UNMARKED_TOOLS: ask
{{- end }}
{{- define "millwright.defaults.prompt-api" }}
ADMIN_PORT: "9090"
AGENTS_PUBLISHED_BY_DEFAULT: "false"
BASE_URL: {{ .Values.addresses.base | quote }}
DATA_TLS: {{ .Values.data.tls | quote }}
DATABASE_POOL_MAX: "8"
MODEL_TIMEOUT_MS: "60000"
PORT: "3000"
PROMPT_API_URL: {{ .Values.addresses.prompt | quote }}
SHUTDOWN_ANNOUNCE_MS: "5000"
SHUTDOWN_GRACE_MS: "75000"
TRUSTED_PROXY_HOPS: "1"
{{- end }}
{{- define "millwright.defaults.gateway" }}
ADMIN_AUTH_TARGETS: http://admin-auth:3000
ADMIN_PORT: "9090"
BASE_URL: {{ .Values.addresses.base | quote }}
PLATFORM_API_TARGETS: http://platform-api:3000
PORT: "3000"
PROMPT_API_TARGETS: http://prompt-api:3000
PROMPT_API_URL: {{ .Values.addresses.prompt | quote }}
RUNTIME_API_TARGETS: http://runtime-api:3000
RUNTIME_URL: {{ .Values.addresses.runtime | quote }}
SHUTDOWN_ANNOUNCE_MS: "5000"
SHUTDOWN_GRACE_MS: "75000"
TRUSTED_PROXY_HOPS: "1"
{{- end }}
