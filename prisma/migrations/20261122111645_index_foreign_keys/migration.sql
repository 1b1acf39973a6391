-- CreateIndex
CREATE INDEX "oauth_authorizations_client_id_idx" ON "oauth_authorizations"("client_id");

-- CreateIndex
CREATE INDEX "oauth_codes_authorization_id_idx" ON "oauth_codes"("authorization_id");

-- CreateIndex
CREATE INDEX "oauth_codes_grant_id_idx" ON "oauth_codes"("grant_id");

-- CreateIndex
CREATE INDEX "oauth_consents_client_id_idx" ON "oauth_consents"("client_id");

