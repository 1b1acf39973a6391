/** What each page is told. It stands in the page's source: nothing in it is kept from whoever gets the page. */
export interface PageData {
  /** Starts the sign-in flow, or ends it when it came back with a code. */
  login: {
    /** Where to go afterwards: a path of this origin. */
    target: string;
  };
  /** Holds the passkey ceremony of the authorization request in its own address. */
  authorize: Record<string, never>;
  register: { isOpen: boolean };
  'add-passkey': SetupData;
  'verify-pending': SetupData;
  'ask-magic-link': Record<string, never>;
  'redeem-magic-link': { token: string };
  consent: ConsentData;
  'device-link': DeviceLinkData;
  /** Shown once. */
  'device-code': { code: string };
  notice: NoticeData;
}

export interface SetupData {
  /** The setup token. */
  token: string;
  email: string;
}

export interface ConsentData {
  /** Names the open authorization request. */
  request: string;
  clientName: string;
  /** The host that describes the client, where one does. */
  clientHost: string | null;
  /** The client came by itself: nobody here vouches for its name. */
  isUnverified: boolean;
  /** Host of the redirect URI, or the URI where it has none. */
  leadsTo: string;
  /** Every answer goes to a program on the user's own machine. */
  isLocal: boolean;
  email: string;
  scopes: ScopeInWords[];
  /** Was allowed before: goes on by itself. */
  isRemembered: boolean;
}

export interface ScopeInWords {
  scope: string;
  description: string;
}

export interface DeviceLinkData {
  deviceName: string;
  account: { name: string; email: string };
  /** The project that the device will work in; `null` where the user chooses. */
  project: string | null;
  /** Host that gets the answer; `null` when a code is shown instead. */
  leadsTo: string | null;
  /** The request, for the form to repeat. */
  fields: Readonly<Record<string, string>>;
}

/** Something that ends here, and what can be done next. */
export interface NoticeData {
  text: string[];
  isError?: boolean;
  links?: { label: string; href: string }[];
}

export type PageName = keyof PageData;

/** A page by its name, its heading and its data. */
export type Page = { [Name in PageName]: { name: Name; title: string; data: PageData[Name] } }[PageName];
