{{- /* The image of an app: (list context app). */}}
{{- define "millwright.image" }}
{{- $values := (index . 0).Values.image }}
{{- $name := printf "%s/%s" $values.repository (index . 1) }}
{{- with index $values.digests (index . 1) }}{{ printf "%s@%s" $name . }}
{{- else }}{{ printf "%s:%s" $name ($values.tag | default (index $ 0).Chart.AppVersion) }}{{ end }}
{{- end }}

{{- /* The settings of a service: (list context service). */}}
{{- define "millwright.settings" }}
{{- $defaults := include (printf "millwright.defaults.%s" (index . 1)) (index . 0) | fromYaml }}
{{- mergeOverwrite $defaults (index (index . 0).Values.services (index . 1)).settings | toYaml }}
{{- end }}

{{- define "millwright.release" -}}
{{ .Values.image.tag | default .Chart.AppVersion | replace "." "-" }}
{{- end }}

{{- /* A Job cannot change, so that each release and each change of its values has a Job of its own. */}}
{{- define "millwright.migrateName" -}}
migrate-{{ include "millwright.release" . }}-{{ list (include "millwright.image" (list . "cli")) .Values.migrate .Values.jobsOwner .Values.data.tls .Values.image | toJson | sha256sum | trunc 8 }}
{{- end }}
