{{- /* The bucket is that of the runtime API's settings. */}}
{{- define "millwright.backupFiles" }}
{{- if .Values.backup.files }}
{{- range $name, $value := include "millwright.settings" (list . "runtime-api") | fromYaml }}
{{- if hasPrefix "FILES_S3_" $name }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}
- name: FILES_S3_ACCESS_KEY_ID
  valueFrom:
    secretKeyRef:
      key: FILES_S3_ACCESS_KEY_ID
      name: runtime-api-secrets
- name: FILES_S3_SECRET_ACCESS_KEY
  valueFrom:
    secretKeyRef:
      key: FILES_S3_SECRET_ACCESS_KEY
      name: runtime-api-secrets
{{- end }}
{{- end }}
