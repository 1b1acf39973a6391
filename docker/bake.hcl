# All images: docker buildx bake -f docker/bake.hcl [--push]
variable "REPOSITORY" {
  default = "millwright"
}

variable "TAG" {
  default = "0.1.0"
}

# ATTEST=false builds without SBOM and provenance, which can only be stored in a registry.
variable "ATTEST" {
  default = "true"
}

# Address of the sources of this build, for the labels of the images.
variable "SOURCE" {
  default = ""
}

variable "REVISION" {
  default = ""
}

group "default" {
  targets = ["image"]
}

target "image" {
  name       = app
  matrix     = { app = ["admin-auth", "platform-api", "runtime-api", "prompt-api", "gateway", "cli"] }
  context    = "."
  dockerfile = "docker/Dockerfile"
  args       = { APP = app }
  labels = {
    "org.opencontainers.image.title"    = "Millwright ${app}"
    "org.opencontainers.image.version"  = TAG
    "org.opencontainers.image.licenses" = "Apache-2.0"
    "org.opencontainers.image.source"   = SOURCE
    "org.opencontainers.image.revision" = REVISION
  }
  tags       = ["${REPOSITORY}/${app}:${TAG}"]
  platforms  = ["linux/amd64", "linux/arm64"]
  attest     = ATTEST == "true" ? ["type=sbom", "type=provenance,mode=max"] : []
}
