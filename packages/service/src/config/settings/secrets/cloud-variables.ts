/**
 * Variables by which platforms describe the identity of a process. Their names and meanings are those of the vendors' own SDKs. They are
 * read by credentials with `identity`, and by references to AWS Secrets Manager.
 */
export const cloudVariables = {
  AWS_ACCESS_KEY_ID: { meaning: 'Key of an AWS user or role', fallback: 'none' },
  AWS_SECRET_ACCESS_KEY: { meaning: 'Its secret', fallback: 'none' },
  AWS_SESSION_TOKEN: { meaning: 'Its token, for temporary keys', fallback: 'none' },
  AWS_REGION: { meaning: 'Region of AWS Secrets Manager', fallback: 'that of the ARN' },
  AWS_DEFAULT_REGION: { meaning: 'The same, where `AWS_REGION` is not set', fallback: 'none' },
  AWS_ENDPOINT_URL_SECRETS_MANAGER: { meaning: 'URL of AWS Secrets Manager', fallback: 'that of the region' },
  AWS_ENDPOINT_URL_S3: {
    meaning: 'URL of S3, for sinks that use the identity of this machine',
    fallback: 'that of the region',
  },
  AWS_WEB_IDENTITY_TOKEN_FILE: { meaning: 'Token of a Kubernetes service account (IRSA)', fallback: 'none' },
  AWS_ROLE_ARN: { meaning: 'Role that is assumed with this token', fallback: 'none' },
  AWS_ROLE_SESSION_NAME: { meaning: 'Name of the session in CloudTrail', fallback: '`tallystick`' },
  AWS_ENDPOINT_URL_STS: { meaning: 'URL of STS', fallback: 'that of the region' },
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: { meaning: 'Set by ECS', fallback: 'none' },
  AWS_CONTAINER_CREDENTIALS_FULL_URI: { meaning: 'Set by EKS pod identity', fallback: 'none' },
  AWS_CONTAINER_AUTHORIZATION_TOKEN: { meaning: 'Sent to this address', fallback: 'none' },
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: {
    meaning: 'A file with what is sent to this address',
    fallback: 'none',
  },
  AWS_EC2_METADATA_DISABLED: {
    meaning: '`true`: the metadata service of EC2 is not asked',
    fallback: '`false`',
  },
  AWS_EC2_METADATA_SERVICE_ENDPOINT: {
    meaning: 'URL of the metadata service of EC2',
    fallback: '`http://169.254.169.254`',
  },
  AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE: { meaning: '`IPv4` or `IPv6`', fallback: '`IPv4`' },
  GOOGLE_APPLICATION_CREDENTIALS: {
    meaning: 'JSON of a service account, or of workload identity federation',
    fallback: 'the metadata server',
  },
  GCE_METADATA_HOST: {
    meaning: 'Host of the metadata server of Google Cloud',
    fallback: '`metadata.google.internal`',
  },
  AZURE_FEDERATED_TOKEN_FILE: {
    meaning: 'Token of a Kubernetes service account (workload identity)',
    fallback: 'none',
  },
  AZURE_TENANT_ID: { meaning: 'Tenant for this token', fallback: 'none' },
  AZURE_CLIENT_ID: {
    meaning: 'Application for this token, or a user-assigned identity',
    fallback: 'that of the system',
  },
  AZURE_AUTHORITY_HOST: {
    meaning: 'URL of Entra ID for this token',
    fallback: 'option `authority` of the provider',
  },
  IDENTITY_ENDPOINT: { meaning: 'Set by App Service and Container Apps', fallback: 'none' },
  IDENTITY_HEADER: { meaning: 'Sent to this address', fallback: 'none' },
  AZURE_POD_IDENTITY_AUTHORITY_HOST: {
    meaning: 'URL of the metadata service of Azure',
    fallback: '`http://169.254.169.254`',
  },
} as const satisfies Record<string, { meaning: string; fallback: string }>

/** Variables of HashiCorp Vault. */
export const vaultVariables = {
  VAULT_ADDR: { meaning: 'URL of HashiCorp Vault, for references with `vault:`', fallback: 'none' },
  VAULT_NAMESPACE: { meaning: 'Namespace in Vault Enterprise', fallback: 'none' },
  VAULT_TOKEN: { meaning: 'Token. It is renewed while it can be', fallback: 'none' },
  VAULT_ROLE_ID: { meaning: 'Or a login by AppRole: its role', fallback: 'none' },
  VAULT_SECRET_ID: { meaning: 'The secret of this role', fallback: 'none' },
  VAULT_KUBERNETES_ROLE: {
    meaning: 'Or a login as a Kubernetes service account: its role',
    fallback: 'none',
  },
  VAULT_KUBERNETES_TOKEN_FILE: {
    meaning: 'Token of the service account',
    fallback: 'where Kubernetes puts it',
  },
  VAULT_AUTH_PATH: { meaning: 'Path of the login', fallback: '`approle` or `kubernetes`' },
} as const satisfies Record<string, { meaning: string; fallback: string }>
