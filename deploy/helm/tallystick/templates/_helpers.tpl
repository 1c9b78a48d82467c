{{- define "tallystick.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name }}{{ end }}
{{- end }}

{{- define "tallystick.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tallystick.labels" -}}
{{ include "tallystick.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "tallystick.publicUrl" -}}
{{- if .Values.publicUrl }}{{ .Values.publicUrl }}{{ else if .Values.ingress.enabled }}https://{{ .Values.ingress.host }}{{ end }}
{{- end }}

{{- /* What the pods of the service and of the migration have in common. */ -}}
{{- define "tallystick.pod" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
automountServiceAccountToken: false
# Otherwise a Service with the name tallystick sets TALLYSTICK_PORT.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: secrets
    secret:
      secretName: {{ .Values.existingSecret }}
      defaultMode: 0440
  # Receipts wait here while the database is away. It survives a restart of the container.
  - name: data
    emptyDir: {}
  - name: temporary
    emptyDir: {}
{{- end }}

{{- define "tallystick.container" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
resources:
  {{- toYaml .Values.resources | nindent 2 }}
env:
  {{- range $name, $key := .Values.secretVariables }}
  - name: {{ $name }}_FILE
    value: /run/secrets/tallystick/{{ $key }}
  {{- end }}
  {{- range $name, $value := .Values.variables }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
  - name: TALLYSTICK_PORT
    value: "7070"
  - name: TALLYSTICK_DRAIN_MS
    value: {{ .Values.drainMs | int | quote }}
  - name: TALLYSTICK_SHUTDOWN_GRACE_MS
    value: {{ .Values.shutdownGraceMs | int | quote }}
  {{- with include "tallystick.publicUrl" . }}
  - name: TALLYSTICK_PUBLIC_URL
    value: {{ . | quote }}
  {{- end }}
  {{- with .Values.trustedProxies }}
  - name: TALLYSTICK_TRUSTED_PROXIES
    value: {{ join "," . | quote }}
  {{- end }}
{{- end }}

{{- define "tallystick.mounts" -}}
- name: secrets
  mountPath: /run/secrets/tallystick
  readOnly: true
- name: data
  mountPath: /var/lib/tallystick
- name: temporary
  mountPath: /tmp
{{- end }}
