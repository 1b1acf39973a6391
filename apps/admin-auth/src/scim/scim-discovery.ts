import { MOST_RESULTS } from './scim-query.js';
import { GROUP_SCHEMA } from './scim-groups.js';
import { USER_SCHEMA } from './scim-users.js';

const RESOURCE_TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema';

interface Attribute {
  name: string;
  type?: string;
  required?: boolean;
  uniqueness?: string;
  mutability?: string;
  multiValued?: boolean;
  referenceTypes?: string[];
  subAttributes?: object[];
}

/** Describes an attribute (RFC 7643 §7). Fields that are left out have their usual values. */
const attribute = ({ type = 'string', ...rest }: Attribute) => ({
  ...{ type, multiValued: false, required: false, caseExact: false, mutability: 'readWrite' },
  ...{ returned: 'default', uniqueness: 'none' },
  ...rest,
});

const SCHEMAS = [
  {
    schemas: [SCHEMA],
    id: USER_SCHEMA,
    name: 'User',
    description: 'An account',
    attributes: [
      attribute({ name: 'userName', required: true, uniqueness: 'server' }),
      // The attributes are required: an account always has them, so clients cannot remove them. A client that leaves them out gets
      // defaults.
      attribute({ name: 'displayName', required: true }),
      attribute({ name: 'name', type: 'complex', required: true, subAttributes: [attribute({ name: 'formatted' })] }),
      attribute({ name: 'active', type: 'boolean', required: true }),
      attribute({
        ...{ name: 'emails', type: 'complex', multiValued: true, mutability: 'readOnly' },
        subAttributes: [
          attribute({ name: 'value', mutability: 'readOnly' }),
          attribute({ name: 'primary', type: 'boolean', mutability: 'readOnly' }),
        ],
      }),
    ],
  },
  {
    schemas: [SCHEMA],
    id: GROUP_SCHEMA,
    name: 'Group',
    description: 'A group whose members get the rights that SSO_FILE maps to its name',
    attributes: [
      attribute({ name: 'displayName', required: true }),
      attribute({
        ...{ name: 'members', type: 'complex', multiValued: true },
        subAttributes: [
          attribute({ name: 'value', mutability: 'immutable' }),
          attribute({ name: '$ref', type: 'reference', referenceTypes: ['User'], mutability: 'immutable' }),
        ],
      }),
    ],
  },
];

export interface DiscoveryDocument {
  schemas: string[];
  id: string;
}

/** Returns the documents that describe which parts of SCIM the service supports (RFC 7644 §4), by path below `/scim/v2`. */
export function discoveryDocuments(baseUrl: string): {
  config: object;
  schemas: DiscoveryDocument[];
  resourceTypes: DiscoveryDocument[];
} {
  const at = (path: string) => `${baseUrl}/scim/v2/${path}`;
  const types = [
    ['User', 'Users', USER_SCHEMA],
    ['Group', 'Groups', GROUP_SCHEMA],
  ] as const;
  return {
    schemas: SCHEMAS.map((schema) => ({
      ...schema,
      meta: { resourceType: 'Schema', location: at(`Schemas/${schema.id}`) },
    })),
    resourceTypes: types.map(([id, endpoint, schema]) => ({
      ...{ schemas: [RESOURCE_TYPE], id, name: id, endpoint: `/${endpoint}`, schema },
      meta: { resourceType: 'ResourceType', location: at(`ResourceTypes/${id}`) },
    })),
    config: {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      patch: { supported: true },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: MOST_RESULTS },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: { supported: false },
      authenticationSchemes: [
        { type: 'oauthbearertoken', name: 'Bearer token', description: 'The token of the issuer', primary: true },
      ],
      meta: { resourceType: 'ServiceProviderConfig', location: at('ServiceProviderConfig') },
    },
  };
}
