export { browserName } from './browser-name.js';
export { escapeHtml } from './escape-html.js';

/** The data of each page. They are in the HTML of the page, so everyone who opens the page can read them. */
export interface PageData {
  /** Page that starts the sign-in flow, and ends the flow when the browser returns with a code. */
  login: {
    /** The address to open afterwards: a path of this origin. */
    target: string;
  };
  /** The sign-in page. Its address contains the authorization request; the page itself runs the passkey ceremony. */
  authorize: {
    /** Identity providers for signing in, with the address that starts the sign-in. */
    issuers: readonly { label: string; href: string }[];
  };
  register: {
    /** Whether the page can create accounts. Otherwise, users can only register a passkey for an account that an admin created. */
    isOpen: boolean;
    roles: readonly ('user' | 'admin')[];
    /** Whether the setup link is sent to the entered email address. */
    sendsLink: boolean;
  };
  /**
   * A setup page whose token is in the fragment of its address. No server receives the fragment, so the page posts the
   * token.
   */
  'setup-link': SetupLinkData;
  'add-passkey': SetupData;
  'verify-pending': SetupData;
  'ask-magic-link': Record<string, never>;
  'redeem-magic-link': { token: string; email: string };
  consent: ConsentData;
  /** Page that requests the code shown by a device. */
  'user-code': { userCode: string; isUnknown: boolean };
  'device-link': DeviceLinkData;
  /** Page that shows, once, the code for a device. */
  'device-code': { code: string };
  notice: NoticeData;
}

export interface SetupData {
  /** The setup token of the link. */
  token: string;
  email: string;
}

export interface SetupLinkData {
  /** Page that is shown when the token is valid. */
  opens: { name: 'add-passkey' | 'verify-pending'; title: string };
  /** Notice that is shown when the token is missing or not valid. */
  invalid: { title: string; data: NoticeData };
}

export interface ConsentData {
  /** Id of the open authorization request. */
  request: string;
  clientName: string;
  /** Host of the client id, if the client id is a URL at which the client describes itself; otherwise null. */
  clientHost: string | null;
  /** The user who created the client; `null` for a client that registered itself. */
  madeBy: { name: string; email: string; isYou: boolean } | null;
  /** Whether an admin has approved the client. */
  isApproved: boolean;
  /** Whether neither the user nor an admin created the client, and no admin has approved it either. */
  isUnverified: boolean;
  /** Host of the redirect URI, or the URI itself when it has no host. */
  leadsTo: string;
  /** Whether every answer goes to a program on the user's own machine. */
  isLocal: boolean;
  /** Whether the answer is for a program on another device. */
  isDevice: boolean;
  email: string;
  scopes: ScopeInWords[];
  /** Scopes of administrators. The page grants each of these scopes only when the user selects it. */
  adminScopes: ScopeInWords[];
  /** Whether the user consented before. The page then continues without a click. */
  isRemembered: boolean;
}

export interface ScopeInWords {
  scope: string;
  description: string;
}

export interface DeviceLinkData {
  deviceName: string;
  account: { name: string; email: string };
  /** The project of the device; `null` when the user chooses it. */
  project: string | null;
  /** The projects to choose from; default: `Core` and `Commerce`. */
  projects?: readonly { id: string; name: string }[];
  /** Host to which the answer is sent; `null` when a code is shown instead. */
  leadsTo: string | null;
  /** Fields of the device's request. The form sends these fields again, together with the user's decision. */
  fields: Readonly<Record<string, string>>;
}

/** A page with a text and links to the possible next steps. It ends a flow, such as a sign-in. */
export interface NoticeData {
  text: string[];
  isError?: boolean;
  links?: { label: string; href: string }[];
}

export type PageName = keyof PageData;

/** A page by its name, its heading and its data. */
export type Page = { [Name in PageName]: { name: Name; title: string; data: PageData[Name] } }[PageName];
