#!/bin/sh
# Makes the signed APKs of this folder with independent tools: apksigner 31.0.2, keytool and jarsigner 17, openssl 3.0.
# Run in an empty folder that holds `unsigned.apk`; the README says how that is built.
set -e
keystore="-keystore keys.jks -storepass secret -keypass secret -validity 20000"
keytool -genkeypair $keystore -alias rsa -keyalg RSA -keysize 2048 -dname "CN=Jane Doe, OU=Tests, O=Example, L=Berlin, ST=BE, C=DE"
keytool -genkeypair $keystore -alias ec -keyalg EC -groupname secp256r1 -dname "CN=张三, O=例子, C=CN"
keytool -genkeypair $keystore -alias dsa -keyalg DSA -keysize 2048 -dname "CN=dsa"
keytool -genkeypair $keystore -alias weak -keyalg RSA -keysize 1024 -sigalg SHA1withRSA -dname 'CN=weak, O="Some, Inc."'

signer="--ks keys.jks --ks-pass pass:secret --ks-key-alias"
sign() { out=$1; shift; apksigner sign --out "$out" "$@" unsigned.apk; rm -f "$out.idsig"; }
sign apksigner-rsa-v1-v2-v3.apk $signer rsa --min-sdk-version 18
sign apksigner-ec-v1-v2.apk $signer ec --min-sdk-version 18 --v3-signing-enabled false
sign apksigner-dsa-v2-v3.apk $signer dsa --min-sdk-version 24 --v1-signing-enabled false
sign apksigner-sha1-v1.apk $signer weak --min-sdk-version 1 --v2-signing-enabled false --v3-signing-enabled false
sign apksigner-two-signers.apk $signer rsa --next-signer $signer ec --min-sdk-version 18 --v3-signing-enabled false
sign apksigner-verity.apk $signer rsa --min-sdk-version 28 --v1-signing-enabled false --verity-enabled

apksigner rotate --out lineage1 --old-signer $signer weak --set-rollback true --new-signer $signer rsa
apksigner rotate --in lineage1 --out lineage2 --old-signer $signer rsa --set-auth false --new-signer $signer ec
sign apksigner-rotated.apk $signer weak --next-signer $signer ec --lineage lineage2 --min-sdk-version 18

jar() { out=$1; shift; [ -e "$out" ] || cp unsigned.apk "$out"; jarsigner -keystore keys.jks -storepass secret -digestalg SHA-256 "$@"; }
jar jarsigner-rsa.apk -sigalg SHA256withRSA jarsigner-rsa.apk rsa
jar jarsigner-twice.apk -sigfile ONE jarsigner-twice.apk rsa
jar jarsigner-twice.apk -sigfile TWO jarsigner-twice.apk ec

# OpenSSL writes more signed attributes than jarsigner, and in another order.
mkdir contents && cd contents && unzip -q ../jarsigner-rsa.apk
keytool -importkeystore -srckeystore ../keys.jks -srcstorepass secret -srcalias rsa -destkeystore ../rsa.p12 -deststoretype PKCS12 -deststorepass secret
openssl pkcs12 -in ../rsa.p12 -passin pass:secret -nodes -out ../rsa.pem
openssl cms -sign -binary -signer ../rsa.pem -in META-INF/RSA.SF -outform DER -md sha256 -out META-INF/RSA.RSA
zip -q -X -r ../openssl-signed-attributes.apk . && cd ..
rm -r contents rsa.p12 rsa.pem lineage1 lineage2 keys.jks unsigned.apk
