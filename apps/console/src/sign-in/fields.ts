/** What a form holds, by the names of its fields. */
export const fieldsOf = (form: HTMLFormElement) => Object.fromEntries(new FormData(form));
