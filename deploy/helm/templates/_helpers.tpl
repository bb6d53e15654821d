{{/* The labels of an object, by its name: (list "pricing" "service"). */}}
{{- define "labels" -}}
app.kubernetes.io/name: {{ index . 0 }}
app.kubernetes.io/component: {{ index . 1 }}
app.kubernetes.io/part-of: event-commerce
{{- end }}

{{- define "component" -}}
{{ eq . "gateway" | ternary "gateway" "service" }}
{{- end }}

{{/* Pods of the platform, whatever they do: processes, the Jobs of an upgrade, and repairs. */}}
{{- define "ownPods" -}}
matchExpressions:
  - { key: app.kubernetes.io/component, operator: In, values: [gateway, service, migration, repair] }
{{- end }}

{{/* What all pods have in common: restricted pod security, and no access to the cluster. */}}
{{- define "pod" -}}
automountServiceAccountToken: false
# Kubernetes would add variables for each Service whose names clash with settings, such as EVENTS_PORT.
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  {{- with .Values.runAs }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  seccompProfile:
    type: RuntimeDefault
volumes:
  # The certificate of a private authority for MongoDB, NATS or Redis; docs/operating/kubernetes.md says how to create it.
  - name: private-ca
    configMap:
      name: private-ca
      optional: true
{{- end }}

{{- define "withoutRights" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* A container of the platform's image. */}}
{{- define "container" -}}
image: {{ .Values.image }}
imagePullPolicy: IfNotPresent
env:
  - name: NODE_EXTRA_CA_CERTS
    valueFrom:
      configMapKeyRef:
        name: private-ca
        key: path
        optional: true
volumeMounts:
  - name: private-ca
    mountPath: /etc/event-commerce/ca
    readOnly: true
securityContext: {{ include "withoutRights" . | nindent 2 }}
{{- end }}

{{/* The container that creates the indexes of a process: (list $ "pricing"). */}}
{{- define "migration" -}}
{{- $name := index . 1 -}}
- name: migrate
  args: [{{ $name }}.js, migrate]
  {{- include "container" (index . 0) | nindent 2 }}
  envFrom:
    - configMapRef:
        name: process-settings
    - secretRef:
        name: {{ $name }}-secrets
  resources:
    requests:
      cpu: 100m
      memory: 128Mi
    limits:
      memory: 256Mi
{{- end }}
